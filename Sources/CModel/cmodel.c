#include "cmodel.h"

_Alignas(64) const uint8_t cmodel_bytes[] = {
#embed "receh.model"
};
const size_t cmodel_size = sizeof cmodel_bytes;
